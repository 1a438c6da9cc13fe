import { createSpotlight } from '@mantine/spotlight';

/** Whether the palette is open, and how to open and close it from anywhere. */
export const [paletteStore, palette] = createSpotlight();
