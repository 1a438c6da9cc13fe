import { createContext } from 'react';
import type { ServerId } from '../../contract/generated';

/** The server that the content blocks below are from; null if they are of several, or of the user. */
export const ContentServer = createContext<ServerId | null>(null);
