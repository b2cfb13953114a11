import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const bell: MantineColorsTuple = [
  '#e7f7f3',
  '#d0ece5',
  '#a0d9cb',
  '#6cc5b0',
  '#43b499',
  '#29aa8b',
  '#108068',
  '#0b6e5f',
  '#075a4d',
  '#03453b',
]

export const theme = createTheme({
  primaryColor: 'bell',
  primaryShade: { light: 7, dark: 6 },
  colors: { bell },
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { title: { fontWeight: 650 } },
    },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      styles: { description: { color: 'var(--mantine-color-text)' } },
    },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
})

/** Secondary text and errors with a contrast of at least 4.5:1. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-dimmed': '#5a636b',
    '--mantine-color-placeholder': '#6a737b',
    '--page': '#fafaf8',
  },
  dark: {
    '--mantine-color-error': '#ff8787',
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#9aa1a8',
    '--page': '#17181a',
  },
})
