/** The style sheets of the elements. They are beside each other in the bundle, which gzip packs tighter. */

export { default as chart } from '../figure/chart.css?inline';
export { default as table } from '../figure/panels/table.css?inline';
export { default as trio } from '../figure/panels/trio.css?inline';
export { default as figure } from '../figure/style.css?inline';
export { default as add } from './add.css?inline';
export { default as host } from './host.css?inline';
