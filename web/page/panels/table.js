import '../../figure/panels/table.css';

export { tablePanel as default } from '../../figure/panels/table.js';
