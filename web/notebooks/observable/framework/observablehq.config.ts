export default {
  root: 'src',
  title: 'Positional encodings',
  globalStylesheets: [], // the system's fonts: no request leaves the site
};
