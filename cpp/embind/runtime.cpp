#include <emscripten/bind.h>

// Replaces libembind, which also registers about thirty types: 2.3 kB gzipped with their names and their RTTI.
extern "C" void _embind_register_bindings(emscripten::internal::InitFunc* bindings) { bindings->init_func(); }
