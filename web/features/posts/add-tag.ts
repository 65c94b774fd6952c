export const mostTags = 10

/** As the server keeps it: "#Sour Diesel" is no tag, "#SourDiesel" is "sourdiesel". Null for what is none. */
function tagOf(text: string): string | null {
  const tag = text.trim().toLowerCase().replace(/^#/, '')
  return /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,39}$/u.test(tag) ? tag : null
}

/** Adds the words of a text to the tags. @returns the new tags, or what is wrong */
export function addTags(tags: readonly string[], text: string): { tags: string[] } | { error: string } {
  const words = text.split(/[\s,]+/).filter(Boolean)
  const added = words.map(tagOf)
  if (added.includes(null)) return { error: 'A tag is one word of letters and numbers, at most 40' }
  const all = [...new Set([...tags, ...(added as string[])])]
  return all.length > mostTags ? { error: 'At most 10 tags' } : { tags: all }
}
