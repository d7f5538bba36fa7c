# Compile options that every target of the project shares.
add_compile_options(-Wall -Wextra -Wshadow -Wno-missing-field-initializers -fno-strict-aliasing
	-D_GNU_SOURCE "$<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes;-Wmissing-prototypes>")
if(WERROR)
	add_compile_options(-Werror)
endif()
if(SANITIZE)
	add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
		-fno-omit-frame-pointer)
	add_link_options(-fsanitize=address,undefined)
endif()
if(FUZZ)
	add_compile_options(-fsanitize=fuzzer-no-link)
	add_link_options(-fsanitize=fuzzer-no-link)
endif()
