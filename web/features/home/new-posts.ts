/**
 * Which posts are new: those that were announced or found at the top of the feed, and are not shown.
 * @param shown ids of the posts of the feed, newest first
 * @param top ids at the top of the feed as the server has it now, newest first
 */
export function newAtTop(shown: readonly string[], top: readonly string[]): string[] {
  const known = new Set(shown)
  const firstKnown = top.findIndex((id) => known.has(id))
  // What is below a post that is shown was left out or unfollowed meanwhile; it is not news.
  return firstKnown === -1 ? [...top] : top.slice(0, firstKnown)
}

/** "1 new post"; a full page is as much as was looked at. */
export function newPostsText(count: number, pageSize: number): string {
  if (count >= pageSize) return `${pageSize}+ new posts`
  return count === 1 ? '1 new post' : `${count} new posts`
}
