import { PosencAdd, PosencHeatmap, PosencRotary, PosencWaves } from 'posenc/element';

/** The embeddings say how many there are. */
const OF_EMBEDDINGS = ['length', 'dim'];

/** The traits of a widget: the attributes of its element. */
function listTraits(kind: unknown) {
  const { observedAttributes } = kind as { observedAttributes: string[] };
  const names = observedAttributes.map((name) => name.replaceAll('-', '_'));
  return names.map((name) => (name === 'layout' ? 'column_layout' : name)); // a widget has a layout already
}

/** The names of the traits that Python's widgets must have, as JSON. */
export const TRAITS = JSON.stringify({
  Heatmap: listTraits(PosencHeatmap),
  Rotary: listTraits(PosencRotary),
  Waves: listTraits(PosencWaves),
  Add: listTraits(PosencAdd).filter((name) => !OF_EMBEDDINGS.includes(name)),
});
