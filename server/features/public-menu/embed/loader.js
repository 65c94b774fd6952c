// Puts a business's menu into <div data-embedded-menu="name-of-the-business"></div> on any page.
;(() => {
  const { origin } = new URL(document.currentScript.src)
  // The second is in snippets from before the first existed.
  const attributes = ['data-embedded-menu', 'data-__BRAND__-menu']
  const frames = new Set()

  function fill(place) {
    const slug = attributes.map((name) => place.getAttribute(name)).find(Boolean)
    if (!slug || place.firstElementChild) return
    const frame = document.createElement('iframe')
    frame.src = `${origin}/embed/menu/${encodeURIComponent(slug)}`
    frame.title = 'Menu'
    frame.loading = 'lazy'
    frame.style.cssText = 'display:block;width:100%;height:420px;border:0;color-scheme:light dark'
    place.append(frame)
    frames.add(frame)
  }

  // The embedded page reports its height.
  addEventListener('message', ({ origin: sender, source, data }) => {
    if (sender !== origin || data?.type !== '__BRAND__-menu' || !(data.height > 0)) return
    for (const frame of frames) if (frame.contentWindow === source) frame.style.height = `${Math.ceil(data.height)}px`
  })

  const fillAll = () => {
    for (const place of document.querySelectorAll(attributes.map((name) => `[${name}]`).join())) fill(place)
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', fillAll)
  else fillAll()
})()
