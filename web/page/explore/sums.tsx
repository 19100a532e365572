import { Head } from '../../figure/components.tsx';
import { findKind } from '../../figure/index.ts';
import { panelOf, type Shown } from '../component.tsx';
import { loadWarm, Sums } from '../sums/sums.tsx';
import type { View } from '../types.ts';

/** A small model with the family's encoding, which adds. */
function SumsOfFamily({ view, loaded, context: { change } }: Shown<Awaited<ReturnType<typeof loadWarm>>>) {
  return (
    <>
      <Head id="sums" title="Sums" />
      <p class="caption">
        A small transformer with this encoding learned school sums of up to ten columns, ones first. How far does it get
        beyond them?
      </p>
      {typeof loaded === 'string' ? <p class="problem">{loaded}</p> : <Sums {...{ view, change }} model={loaded} />}
    </>
  );
}

export default panelOf(SumsOfFamily, (view: View) => loadWarm(findKind(view).name));
