import { createTheme, type MantineColorsTuple, rem } from '@mantine/core'
import optionsStyles from './ui/fields/options.module.css'
import lateStyles from './ui/late.module.css'

const teal: MantineColorsTuple = [
  '#e2f2f3',
  '#cbe6e8',
  '#a5d3d6',
  '#7bbfc4',
  '#57adb3',
  '#2f979e',
  '#15838a',
  '#0b6e75',
  '#085a60',
  '#05464b',
]

const closeButtonProps = { 'aria-label': 'Close' }
/** The list scrolls itself and its field moves through it with the arrow keys, so no wrapper needs to be focusable. */
const listClasses = { options: optionsStyles.options }

/** The look of the product: one accent colour, 8 px corners, borders instead of shadows, aligned figures. */
export const theme = createTheme({
  primaryColor: 'teal',
  respectReducedMotion: true,
  colors: { teal },
  primaryShade: { light: 7, dark: 6 },

  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, monospace',
  fontSizes: { xs: rem(12), sm: rem(13), md: rem(14), lg: rem(16), xl: rem(20) },
  defaultRadius: 8,
  headings: {
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    sizes: { h1: { fontSize: rem(21), lineHeight: '1.3' }, h2: { fontSize: rem(16) }, h3: { fontSize: rem(14) } },
  },
  components: {
    // Text in the warning colour is too faint on its background; the icon and the background show the severity.
    Alert: { styles: { title: { color: 'var(--ink)' }, message: { color: 'var(--ink)' } } },
    Autocomplete: { defaultProps: { withScrollArea: false }, classNames: listClasses },
    Button: {
      defaultProps: { size: 'sm' },
      classNames: { root: lateStyles.busy, inner: lateStyles.inner, label: lateStyles.label, loader: lateStyles.loader },
    },
    Combobox: { classNames: listClasses },
    // The message is inside a listbox, which may only contain options.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true, 'aria-selected': false } },
    Drawer: { defaultProps: { closeButtonProps } },
    // Mantine would focus an invisible placeholder that is not an item; without it, the first item gets the focus. Items are Tab stops, so
    // that a scrolling menu can be reached with Tab.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, menuItemTabIndex: 0 } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.35 }, closeButtonProps } },
    Notification: { defaultProps: { closeButtonProps }, styles: { description: { color: 'var(--ink)' } } },
    // Delays the skeleton, so that fast loads do not flash.
    Skeleton: { classNames: { root: lateStyles.late } },
    Tooltip: { defaultProps: { openDelay: 400 } },
  },
})
