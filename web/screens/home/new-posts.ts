/**
 * IDs of new posts: those above the first shown post in the server's current feed.
 * @param shown IDs of the shown posts, newest first
 * @param top IDs at the top of the server's feed, newest first
 */
export function newAtTop(shown: readonly string[], top: readonly string[]): string[] {
  const known = new Set(shown)
  const firstKnown = top.findIndex((id) => known.has(id))
  // Missing posts below a shown one were filtered out or unfollowed, so they aren't new.
  return firstKnown === -1 ? [...top] : top.slice(0, firstKnown)
}

/** "1 new post"; "20+" for a full page, because the check looks no further. */
export function newPostsText(count: number, pageSize: number): string {
  if (count >= pageSize) return `${pageSize}+ new posts`
  return count === 1 ? '1 new post' : `${count} new posts`
}
