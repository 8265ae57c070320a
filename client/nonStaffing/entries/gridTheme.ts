import { themeQuartz } from 'ag-grid-community'

/** The theme of the grid. It uses the CSS variables of the page, so that it follows light and dark mode. */
export const gridTheme = themeQuartz.withParams({
  fontFamily: 'inherit',
  fontSize: 14,
  backgroundColor: 'var(--card)',
  foregroundColor: 'var(--ink)',
  headerBackgroundColor: 'var(--head)',
  headerTextColor: 'var(--dim)',
  headerFontWeight: 500,
  headerFontSize: 13,
  borderColor: 'var(--line)',
  rowHoverColor: 'var(--hover)',
  selectedRowBackgroundColor: 'var(--chosen)',
  accentColor: 'var(--accent)',
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  rowHeight: 36,
  headerHeight: 34,
  cellHorizontalPadding: 12,
  iconSize: 14,
})
