export const maxTags = 10

/** Normalizes as the server does: "#SourDiesel" → "sourdiesel". Null for invalid tags, such as "#Sour Diesel". */
function tagOf(text: string): string | null {
  const tag = text.trim().toLowerCase().replace(/^#/, '')
  return /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u.test(tag) ? tag : null
}

/** Adds the words of a text as tags. @returns the new tags, or an error */
export function addTags(tags: readonly string[], text: string): { tags: string[] } | { error: string } {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const added = words.map(tagOf)
  if (added.includes(null)) return { error: 'A tag is one word of letters and numbers, up to 40 characters' }
  const all = [...new Set([...tags, ...(added as string[])])]
  return all.length > maxTags ? { error: 'At most 10 tags' } : { tags: all }
}
