import type { MergePreview } from '#contracts/merges.endpoints.ts'
import { listWords } from '#web/lib/format.ts'

/** What a merge does, in sentences, without what there is none of. */
export function mergeEffects({ from, into, counts, losesMenu }: MergePreview): string[] {
  const moving = [
    some(counts.followers, 'follower'),
    some(counts.subscribers, 'subscriber'),
    some(counts.favorites, 'favorite'),
    some(counts.reviews, 'review'),
    some(counts.posts, 'post'),
    some(counts.photos, 'photo'),
    some(counts.licenses, 'license'),
    some(counts.conversations, 'conversation'),
    losesMenu ? null : some(counts.menuItems, 'menu item'),
  ].filter((part) => part !== null)
  return [
    ...(moving.length > 0 ? [`${into.name} gets ${listWords(moving)} from ${from.name}. People who follow both are counted once.`] : []),
    ...(counts.reviewsTakenOff > 0
      ? [
          `${some(counts.reviewsTakenOff, 'review')} will no longer be shown, because ${
            counts.reviewsTakenOff === 1 ? 'its author' : 'each author'
          } wrote a newer one or is on the team. Authors keep theirs in their data.`,
        ]
      : []),
    ...(losesMenu ? [`The menu of ${from.name} is deleted, because ${into.name} has one.`] : []),
    `${into.name} keeps its name, address and description. Its empty fields are filled in.`,
    `Links to ${from.name} will lead to ${into.name}.`,
    `Visit statistics of ${from.name} are deleted.`,
  ]
}

const some = (count: number, what: string): string | null => (count === 0 ? null : `${count} ${what}${count === 1 ? '' : 's'}`)
