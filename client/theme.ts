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
/** A list without anything opens too, and says so. */
const nothingFoundMessage = 'Nothing to choose from.'
/** The list itself scrolls, which the field it belongs to goes through by arrows: nothing in between that would need the focus for that. */
const listClasses = { options: optionsStyles.options }

/** One accent, 8 px corners, lines instead of shadows, figures that line up. */
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
    // Words in the colour of a warning are too faint on its ground; its icon and ground say what it is.
    Alert: { styles: { title: { color: 'var(--ink)' }, message: { color: 'var(--ink)' } } },
    Autocomplete: { defaultProps: { withScrollArea: false }, classNames: listClasses },
    Button: {
      defaultProps: { size: 'sm' },
      classNames: { root: lateStyles.busy, inner: lateStyles.inner, label: lateStyles.label, loader: lateStyles.loader },
    },
    Combobox: { classNames: listClasses },
    // That there is nothing stands in the list itself, which holds options alone.
    ComboboxEmpty: { defaultProps: { role: 'option', 'aria-disabled': true, 'aria-selected': false } },
    Drawer: { defaultProps: { closeButtonProps } },
    // The first entry has the focus, in place of a part that is no entry of the menu; a menu that scrolls does so by Tab too.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, menuItemTabIndex: 0 } },
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.35 }, closeButtonProps } },
    MultiSelect: { defaultProps: { nothingFoundMessage, withScrollArea: false }, classNames: listClasses },
    Notification: { defaultProps: { closeButtonProps }, styles: { description: { color: 'var(--ink)' } } },
    Select: { defaultProps: { nothingFoundMessage, withScrollArea: false }, classNames: listClasses },
    // What comes at once is not announced by a flash.
    Skeleton: { classNames: { root: lateStyles.late } },
    TagsInput: { defaultProps: { withScrollArea: false }, classNames: listClasses },
    Tooltip: { defaultProps: { openDelay: 400 } },
  },
})
