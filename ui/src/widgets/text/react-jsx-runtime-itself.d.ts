/** React's own `react/jsx-runtime`, under the name that the build does not replace. */
declare module 'react-jsx-runtime-itself' {
  export * from 'react/jsx-runtime';
}
