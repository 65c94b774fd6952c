const title = { prefix: '', text: document.title }

/** Changes part of the document title: its text, or its prefix ("(3) "). */
export function changeTitle(part: Partial<typeof title>): void {
  Object.assign(title, part)
  document.title = title.prefix + title.text
}
