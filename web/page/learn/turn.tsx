import type { Shown } from '../component.tsx';
import { Rope } from '../explore/rope.tsx';

export const settle = () => ({ position: 30 });

/** The query and the key, as Explore shows them. */
export const Figure = (props: Shown) => (
  <div class="rope">
    <Rope {...props} />
  </div>
);
