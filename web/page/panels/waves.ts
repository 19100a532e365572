import '../../figure/chart.css';

export { wavesPanel as default } from '../../figure/panels/waves.ts';
