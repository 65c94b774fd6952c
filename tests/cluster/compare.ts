import type { ReceivedMail } from '#tests/support/smtp-server.ts'

export type Differences = { lost: string[]; doubled: string[]; torn: string[] }

type Stored = { marker: string; id: string }

/** Compares confirmed writes, each with a marker in its text and the returned ID, with the rows that have such markers. */
export function compareRows(
  what: string,
  confirmed: Iterable<readonly [marker: string, id: string]>,
  stored: readonly Stored[],
  { lost, doubled, torn }: Differences,
): void {
  const byMarker = Map.groupBy(stored, ({ marker }) => marker)
  for (const [marker, id] of confirmed) {
    const found = byMarker.get(marker) ?? []
    if (!found.some((row) => row.id === id)) lost.push(`${what} ${marker}`)
    if (found.length > 1) doubled.push(`${what} ${marker}`)
    byMarker.delete(marker)
  }
  // Each write was repeated until it was confirmed, so no other rows may exist.
  for (const marker of byMarker.keys()) torn.push(`${what} ${marker} was never confirmed`)
}

/** Compares the final on or off state of each relation with the rows. */
export function compareStates(
  what: string,
  confirmed: ReadonlyMap<string, boolean>,
  stored: ReadonlySet<string>,
  { lost, torn }: Differences,
): void {
  for (const [key, stands] of confirmed) {
    if (stands && !stored.has(key)) lost.push(`${what} ${key}`)
    if (!stands && stored.has(key)) lost.push(`removal of ${what} ${key}`)
  }
  for (const key of stored) if (!confirmed.has(key)) torn.push(`${what} ${key} was never confirmed`)
}

/** Finds the emails that are missing and those that were sent more than once. */
export function compareSent(wanted: readonly string[], sent: readonly string[]): { missing: string[]; doubled: string[] } {
  const counts = Map.groupBy(sent, (each) => each)
  return {
    missing: wanted.filter((each) => !counts.has(each)),
    doubled: [...counts].flatMap(([each, { length }]) => (length > 1 ? [`${each}, ${length} times`] : [])),
  }
}

/** The receipt number of each email with an attached receipt. */
export const receiptsIn = (mailbox: readonly ReceivedMail[]): string[] =>
  // The attachment has its name in two headers.
  mailbox.flatMap(({ data }) => /filename="?receipt-([\w-]+)\.pdf/.exec(data)?.[1] ?? [])

/** Text in the titles of notifications, by type. */
export const titleWords = { comment: 'commented on', person_post: 'posted', message: 'new messages' } as const

/** The notifications in emails: "ann@example.com posted 0195…", with the ID of the post or conversation. */
export function notificationsIn(mailbox: readonly ReceivedMail[]): string[] {
  return mailbox.flatMap(({ to, data }) => {
    const email = /<(.+)>/.exec(to[0] ?? '')?.[1] ?? ''
    // A title and, on the next line, its address.
    const items = [...textOf(data).matchAll(/^(.+)\nhttp\S+\/(?:post|messages)\/([0-9a-f-]{36})/gm)]
    return items.flatMap(([, title = '', id = '']) => {
      const words = Object.values(titleWords).find((each) => title.includes(each))
      return words ? [`${email} ${words} ${id}`] : []
    })
  })
}

function textOf(data: string): string {
  const [, body = ''] = /\n\n([\s\S]*)/.exec(data) ?? []
  if (/^content-transfer-encoding: base64/im.test(data)) return Buffer.from(body, 'base64').toString()
  if (!/^content-transfer-encoding: quoted-printable/im.test(data)) return body
  const bytes = body.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
