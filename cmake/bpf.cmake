# bpf_object(TARGET SOURCE): compiles SOURCE for BPF and makes TARGET, a static library whose
# symbols TARGET_start and TARGET_end enclose the object file.
#
# Nothing of the build machine's kernel is used: no BTF, no kernel headers but the UAPI ones.
# Frames are kept small: a preemptible kernel from 6.13 on can share one private stack between
# programs that interrupt each other, so that little should lie there, and not for long.
# bpftool's skeletons are not used either: where it is tied to a kernel's package (Ubuntu), a
# build would depend on the kernel that the build machine happens to run.
find_program(BPF_CLANG NAMES clang clang-19 clang-18 clang-16 clang-14 REQUIRED)

function(bpf_object target source)
	get_filename_component(input ${source} ABSOLUTE)
	set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
	if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
		set(arch arm64)
		set(triplet aarch64-linux-gnu)
	else()
		set(arch x86)
		set(triplet x86_64-linux-gnu)
	endif()
	add_custom_command(OUTPUT ${object}
		COMMAND ${BPF_CLANG} -target bpf -mcpu=v3 -g -O2 -Wall -Wextra -Werror
			-Wframe-larger-than=64
			-D__TARGET_ARCH_${arch} -idirafter /usr/include/${triplet}
			-idirafter /usr/${triplet}/include
			-I${PROJECT_SOURCE_DIR} -MD -MF ${object}.d -MT ${object} -c ${input} -o ${object}
		DEPENDS ${input} DEPFILE ${object}.d
		COMMENT "BPF object ${source}" VERBATIM)
	set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/${target}.S)
	file(GENERATE OUTPUT ${wrapper} CONTENT
".section .rodata.${target},\"a\"
.balign 16
.globl ${target}_start
${target}_start:
.incbin \"${object}\"
.globl ${target}_end
${target}_end:
.byte 0
.section .note.GNU-stack,\"\",%progbits
")
	set_source_files_properties(${wrapper} PROPERTIES GENERATED TRUE OBJECT_DEPENDS ${object})
	add_library(${target} STATIC ${wrapper})
endfunction()
