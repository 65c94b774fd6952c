/** Which of many equal tracks (rows, or blocks of them) are to be in the page: those in view and a few more on either side. */
export type Tracks = { first: number /** One past the last. */; end: number }

export function tracksInView(scrolled: number, room: number, size: number, count: number, beyond: number): Tracks {
  return {
    first: Math.max(0, Math.floor(scrolled / size) - beyond),
    end: Math.min(count, Math.max(0, Math.ceil((scrolled + room) / size) + beyond)),
  }
}

/** The numbers of the tracks in the page. The one that has the focus stays, however far away it is scrolled. */
export function tracksToDraw({ first, end }: Tracks, kept: number, count: number): number[] {
  const tracks = Array.from({ length: Math.max(0, end - first) }, (_, nth) => first + nth)
  if (kept < 0 || kept >= count || (kept >= first && kept < end)) return tracks
  return kept < first ? [kept, ...tracks] : [...tracks, kept]
}

/** How far to scroll so that a track is wholly in view; as it is, if it is. */
export function scrolledTo(track: number, size: number, scrolled: number, room: number): number {
  const from = track * size
  if (from < scrolled) return from
  return from + size > scrolled + room ? from + size - room : scrolled
}
