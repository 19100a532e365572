import { useRef } from 'preact/hooks';
import type { Sum } from '../figure/addition/sum.ts';
import { Head, Legend } from '../figure/components.tsx';
import { formatBound, Trio } from '../figure/panels/trio.tsx';
import type { PanelProps } from '../figure/types.ts';

export interface InputProblem {
  problem: string;
  /** The dim with which there would be none. */
  dim?: number;
}

/** Embeddings and the encoding added to them. */
export function AddPanel({
  view,
  context: { change },
  sum,
  sampled,
}: PanelProps & { sum: Sum | InputProblem; sampled: boolean }) {
  // The last sum keeps its room.
  const last = useRef<Sum>(undefined);
  const { problem, dim } = 'problem' in sum ? sum : {};
  if ('tables' in sum) last.current = sum;
  const objection = (
    <p class="problem" part="error" role="alert">
      {problem}
      {dim && (
        <button type="button" onClick={() => change({ dim }, true)}>
          Show {dim} dimensions
        </button>
      )}
    </p>
  );
  return (
    <>
      <Head id="addition" title="Words plus positions">
        {last.current && <Legend labels={formatBound(last.current)} />}
      </Head>
      <p class="caption" part="caption">
        A transformer reads the sum of a token’s embedding and its position’s encoding (Vaswani et al. 2017, sections
        3.4, 3.5 and 5.4).{sampled && ' The embeddings are random, but the same for the same token.'}
      </p>
      <div class="parts" part="controls">
        <p class="note">
          input = <span class="input-formula">{view.root && `√${view.dim} · `}embedding + encoding</span>
        </p>
        <label class="switch">
          <input
            id="root"
            type="checkbox"
            checked={view.root}
            onChange={({ currentTarget }) => change({ root: currentTarget.checked }, true)}
          />{' '}
          embedding times √dim
        </label>
      </div>
      <div class={problem ? 'result empty' : 'result'}>
        {last.current ? (
          <Trio view={view} sum={last.current} change={change}>
            {objection}
          </Trio>
        ) : (
          objection
        )}
      </div>
    </>
  );
}
