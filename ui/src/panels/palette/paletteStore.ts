import { createStore } from 'zustand/vanilla';

interface PaletteState {
  isOpen: boolean;
  /** What had the focus before: it gets it back. */
  before: HTMLElement | null;
}

/** Whether the palette is open. */
export const paletteStore = createStore<PaletteState>(() => ({ isOpen: false, before: null }));

/** Opens and closes the palette, from anywhere. */
export const palette = {
  open(): void {
    const { activeElement } = document;
    paletteStore.setState({
      isOpen: true,
      before: activeElement instanceof HTMLElement ? activeElement : null,
    });
  },
  close(): void {
    paletteStore.setState({ isOpen: false });
  },
  toggle(): void {
    if (paletteStore.getState().isOpen) palette.close();
    else palette.open();
  },
};
