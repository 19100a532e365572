import type { Shown } from '../component.tsx';
import { Rope } from '../explore/rope.tsx';

/** The query and the key, as Explore shows them. */
export const Figure = (shown: Shown) => (
  <div class="rope">
    <Rope {...shown} />
  </div>
);
