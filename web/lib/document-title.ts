const title = { prefix: '', text: document.title }

/** Changes a part of the page's title: its text, or what is put before it ("(3) "). */
export function changeTitle(part: Partial<typeof title>): void {
  Object.assign(title, part)
  document.title = title.prefix + title.text
}
