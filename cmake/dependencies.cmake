# Every third-party library, as an imported target. Which room may include which header is
# enforced by test/house.
find_package(PkgConfig REQUIRED)
pkg_check_modules(BPF REQUIRED IMPORTED_TARGET libbpf>=1.1)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(MICROHTTPD REQUIRED IMPORTED_TARGET libmicrohttpd>=0.9.73)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(CAPSTONE REQUIRED IMPORTED_TARGET capstone)
pkg_check_modules(CAP_NG REQUIRED IMPORTED_TARGET libcap-ng)
pkg_check_modules(DW REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(LZMA REQUIRED IMPORTED_TARGET liblzma)
find_package(Threads REQUIRED)

# It has no pkg-config file.
find_library(IBERTY_LIBRARY iberty REQUIRED)
find_path(IBERTY_FOLDER libiberty/demangle.h REQUIRED)
add_library(iberty INTERFACE IMPORTED)
target_link_libraries(iberty INTERFACE ${IBERTY_LIBRARY})
target_include_directories(iberty INTERFACE ${IBERTY_FOLDER})
