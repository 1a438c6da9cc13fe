import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ChatCall, ChatCarried } from '../../../contract/generated';
import { CarriedNote } from './CarriedNote';

const crossing = {
  item: '3',
  serverId: 'a',
  serverName: 'notes',
  excerpt: 'KX-4411-ALPHA',
  crosses: true,
} as unknown as ChatCarried;

function open(part: Partial<ChatCall>): void {
  const call = { serverName: 'post', carried: [], comparedInPart: false, ...part };
  render(<CarriedNote call={call as unknown as ChatCall} />);
}

it('says which part is from which other server, and nothing about the rest', () => {
  open({ carried: [crossing, { ...crossing, serverName: 'post', crosses: false, excerpt: 'own-value-1' }] });
  const note = screen.getByRole('note', { name: 'Data from another server' });
  expect(note.textContent).toContain('The arguments send data from another server to post');
  expect(note.textContent).toContain('notes: “KX-4411-ALPHA”');
  expect(note.textContent).not.toContain('own-value-1');
});

it('says that not all could be compared', () => {
  open({ comparedInPart: true });
  expect(screen.getByRole('note').textContent).toContain('too long to compare all of it');
});

it('says nothing where nothing crosses', () => {
  open({ carried: [{ ...crossing, crosses: false }] });
  expect(screen.queryByRole('note')).toBeNull();
});
