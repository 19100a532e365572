import '../../figure/chart.css';
import '../../figure/panels/waves.css';

export { wavesPanel as default } from '../../figure/panels/waves.js';
