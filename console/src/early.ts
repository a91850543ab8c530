import { applyTheme } from './shell/theme';

applyTheme();
