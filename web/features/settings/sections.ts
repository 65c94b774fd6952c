/** In the order of the page; `id` is the anchor. */
export const sections = [
  { id: 'profile', title: 'Profile Information' },
  { id: 'account', title: 'Account Information' },
  { id: 'privacy', title: 'Privacy & Visibility' },
  { id: 'notifications', title: 'Notifications' },
  { id: 'units', title: 'Units and language' },
  { id: 'sign-in', title: 'Sign-in and security' },
  { id: 'data', title: 'Your data' },
  { id: 'install', title: 'On your home screen' },
  { id: 'support', title: 'Support & Help' },
] as const

export type SectionId = (typeof sections)[number]['id']

export const isSection = (id: string): id is SectionId => sections.some((section) => section.id === id)

/**
 * Which section is read: the last one whose top has passed the reading line, and the last of all once the page cannot go further.
 * @param tops of the sections in their order, in pixels below the top of the window
 */
export function sectionAt(tops: readonly number[], line: number, isAtEnd: boolean): number {
  if (isAtEnd) return tops.length - 1
  return Math.max(
    0,
    tops.findLastIndex((top) => top <= line),
  )
}
