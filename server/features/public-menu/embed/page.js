// The menu in the frame: asks for the age, then fetches and shows the items. Everything in the response is inserted as text.
;(() => {
  const byId = (id) => document.getElementById(id)
  const [menu, gate, note, list, more, find, q, inStock] = ['menu', 'gate', 'note', 'items', 'more', 'find', 'q', 'in-stock'].map(byId)
  const { age, items: address } = menu.dataset
  const key = `over-${age}`
  const groups = new Map()
  let cursor = ''
  /** Counts searches, so that the response to an older one is dropped. */
  let round = 0

  const tell = () => parent.postMessage({ type: '__BRAND__-menu', height: document.documentElement.offsetHeight }, '*')
  new ResizeObserver(tell).observe(document.documentElement)

  // A browser may refuse storage in a frame. Then the frame asks every time.
  const remembered = () => {
    try {
      return sessionStorage.getItem(key) === 'yes'
    } catch {
      return false
    }
  }
  const remember = () => {
    try {
      sessionStorage.setItem(key, 'yes')
    } catch {}
  }

  const make = (name, className, text) => {
    const element = document.createElement(name)
    if (className) element.className = className
    if (text) element.textContent = text
    return element
  }

  const potency = (item, name) => {
    const [low, high, unit] = [item[name], item[`${name}Max`], item[`${name}Unit`]]
    if (low === null) return ''
    // Older items may have no unit.
    const suffix = unit === 'mg' ? ' mg' : unit === 'percent' ? '%' : ''
    return `${name.toUpperCase()} ${low}${high === null || high === low ? '' : `–${high}`}${suffix}`
  }

  const day = (date) => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(date))
  const money = (item, price) => new Intl.NumberFormat('en-US', { style: 'currency', currency: item.currency }).format(Number(price))

  const weight = ({ weight: amount, weightUnit: unit }) => {
    if (amount === null) return ''
    // As on our own menus: see `packLabel` in contracts/menu-fields.rules.ts.
    if (unit === 'piece') return amount === 1 ? 'each' : Number.isInteger(amount) ? `${amount}-pack` : `${amount} pieces`
    return `${amount} ${unit ?? ''}`
  }

  const ago = (time) => {
    const hours = Math.max(0, (Date.now() - Date.parse(time)) / 3_600_000)
    if (hours < 1 / 60) return 'Confirmed just now'
    const [count, unit] =
      hours < 1 ? [Math.floor(hours * 60), 'minute'] : hours < 48 ? [Math.floor(hours), 'hour'] : [Math.floor(hours / 24), 'day']
    return `Confirmed ${new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-count, unit)}`
  }

  function groupOf(category) {
    const name = category ?? 'Other'
    if (!groups.has(name)) {
      const section = make('section')
      const items = make('ul')
      section.append(make('h2', '', name), items)
      list.append(section)
      groups.set(name, items)
    }
    return groups.get(name)
  }

  function size(item, variant) {
    const line = make('span', variant.isAvailable ? 'size' : 'size out')
    const amount = weight(variant)
    if (amount) line.append(make('span', 'amount', `${amount} `))
    if (variant.salePrice !== null) {
      const regular = make('s', '', money(item, variant.price))
      regular.setAttribute('aria-label', `Regular price ${money(item, variant.price)}, sale price`)
      line.append(regular, ' ')
    }
    line.append(money(item, variant.salePrice ?? variant.price))
    if (variant.saleEnds !== null) line.append(make('span', 'until', ` Sale ends ${day(variant.saleEnds)}`))
    if (!variant.isAvailable && item.isAvailable) line.append(make('span', 'stock', ' Out of Stock'))
    return line
  }

  function show(item) {
    const row = make('li', item.isAvailable ? '' : 'out')
    const name = make('div', 'name')
    const kind = item.strainType && item.strainType[0].toUpperCase() + item.strainType.slice(1)
    const facts = [item.brand, item.strain, kind, potency(item, 'thc'), potency(item, 'cbd')].filter(Boolean).join(' · ')
    name.append(make('strong', '', item.name))
    if (facts) name.append(make('span', 'facts', facts))
    name.append(make('span', 'age', ago(item.confirmedAt)))
    const cost = make('div', 'price')
    for (const variant of item.variants) cost.append(size(item, variant))
    if (!item.isAvailable) cost.append(make('span', 'stock', 'Out of Stock'))
    else cost.append(make('span', 'tax', item.isTaxIncluded ? 'incl. tax' : '+ tax'))
    row.append(name, cost)
    groupOf(item.category).append(row)
    return row
  }

  async function load() {
    const current = round
    // Hiding the pressed button loses the focus.
    const isPressed = document.activeElement === more
    note.textContent = 'Loading the menu...'
    more.hidden = true
    const query = new URLSearchParams({ over: age })
    const text = q.value.trim()
    if (text) query.set('q', text)
    if (inStock.checked) query.set('inStock', 'true')
    if (cursor) query.set('cursor', cursor)
    let isRefused = false
    try {
      const response = await fetch(`${address}?${query}`)
      const answer = await response.json()
      if (current !== round) return
      if (!response.ok) {
        isRefused = response.status < 500 && response.status !== 429
        throw new Error(answer.message)
      }
      const [first] = answer.items.map(show)
      if (isPressed && first) {
        first.tabIndex = -1
        first.focus()
      }
      cursor = answer.cursor ?? ''
      more.hidden = cursor === ''
      more.textContent = 'Show more'
      const isNarrowed = text || inStock.checked
      if (groups.size > 0 || isNarrowed) find.hidden = false
      note.textContent = groups.size > 0 ? '' : isNarrowed ? 'No items on this menu match.' : 'Nothing is on this menu yet.'
    } catch (error) {
      if (current !== round) return
      const isNetwork = error instanceof TypeError || error instanceof SyntaxError
      note.textContent = isNetwork ? "The menu couldn't be loaded." : error.message
      more.textContent = 'Try again'
      more.hidden = isRefused
      if (isPressed && !isRefused) more.focus()
    }
  }

  // The pressed button disappears, so focus moves to the note.
  const pass = () => {
    gate.hidden = true
    note.tabIndex = -1
    note.focus()
  }
  byId('yes').onclick = () => {
    remember()
    pass()
    load()
  }
  byId('no').onclick = () => {
    pass()
    note.textContent = `This menu is for people ${age} or older.`
  }
  more.onclick = load

  function search() {
    round++
    cursor = ''
    groups.clear()
    list.replaceChildren()
    load()
  }
  let typing
  q.oninput = () => {
    clearTimeout(typing)
    typing = setTimeout(search, 300)
  }
  inStock.onchange = search
  find.onsubmit = (event) => {
    event.preventDefault()
    clearTimeout(typing)
    search()
  }
  if (remembered()) load()
  else gate.hidden = false
})()
