// A library for Emscripten's linker, whose functions take the place of its own. embind registers every type there is, with what
// strings in four encodings and views of the heap need, and is prepared for overloads and types that nobody registered: 3 kB gzipped. The
// functions of this module take and return numbers alone, and its memories never grow.
addToLibrary({
  _embind_register_bigint() {},
  _embind_register_bool() {},
  _embind_register_emval() {},
  _embind_register_memory_view() {},
  _embind_register_std_string() {},
  _embind_register_std_wstring() {},
  $ensureOverloadTable() {},
  $ensureOverloadTable__deps: [],
  $throwUnboundTypeError() {},
  $throwUnboundTypeError__deps: [],
  _setitimer_js: () => 0,
  _setitimer_js__deps: [],
  emscripten_resize_heap: () => 0,
});
