/** In page order; `id` is the anchor. */
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
 * The section being read: the last one whose top is above the reading line, or the last of all at the end of the page.
 * @param tops tops of the sections in order, in pixels below the top of the window
 */
export function sectionAt(tops: readonly number[], line: number, isAtEnd: boolean): number {
  if (isAtEnd) return tops.length - 1
  return Math.max(
    0,
    tops.findLastIndex((top) => top <= line),
  )
}
