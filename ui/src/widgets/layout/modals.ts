/** The class of a modal that is open. One that fades out is still in the document. */
export const OPEN_MODAL = 'pb-open-modal';

/** Whether a modal dialog is open, also one that a panel opens by itself. */
export function hasModal(): boolean {
  return document.querySelector(`.${OPEN_MODAL}`) !== null;
}
