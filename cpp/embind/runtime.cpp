#include <emscripten/bind.h>

// Stands in for libembind, which also registers some thirty types: 2.3 kB gzipped with their names and their RTTI.
extern "C" void _embind_register_bindings(emscripten::internal::InitFunc* bindings) { bindings->init_func(); }
