import { Head } from '../../figure/components.tsx';
import { findKind } from '../../figure/index.ts';
import type { Shown } from '../component.tsx';
import { catchReason } from '../fetch.ts';
import { Failure } from '../field.tsx';
import { type AdderModel, loadModel } from '../sums/adder.ts';
import { Sums } from '../sums/sums.tsx';
import type { View } from '../types.ts';

export function Figure({ view, loaded, context: { change } }: Shown<AdderModel | string>) {
  return (
    <>
      <Head id="sums" title="Sums" />
      <p class="caption">
        A small transformer with this encoding learned school sums of up to ten columns, ones first. How far does it get
        beyond them?
      </p>
      {typeof loaded === 'string' ? (
        <Failure reason={loaded} change={change} />
      ) : (
        <Sums {...{ view, change }} model={loaded} />
      )}
    </>
  );
}

export const load = (view: View) => catchReason(loadModel(findKind(view).name));
