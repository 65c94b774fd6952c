// The menu in the frame: asks for the age, then fetches and shows the items. Everything of the answer goes in as text.
;(() => {
  const byId = (id) => document.getElementById(id)
  const [menu, gate, note, list, more] = ['menu', 'gate', 'note', 'items', 'more'].map(byId)
  const { age, items: address } = menu.dataset
  const key = `over-${age}`
  const groups = new Map()
  let cursor = ''

  const tell = () => parent.postMessage({ type: '__BRAND__-menu', height: document.documentElement.offsetHeight }, '*')
  new ResizeObserver(tell).observe(document.documentElement)

  // Without a memory (a browser may refuse one in a frame) it asks every time.
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
    const value = item[name]
    return value === null ? '' : `${name.toUpperCase()} ${value}${item.potencyUnit === 'mg' ? ' mg' : '%'}`
  }

  const price = (item) => new Intl.NumberFormat('en-US', { style: 'currency', currency: item.currency }).format(Number(item.price))

  const weight = ({ weight: amount, weightUnit: unit }) => {
    if (amount === null) return ''
    return unit === 'piece' ? `${amount} ${amount === 1 ? 'piece' : 'pieces'}` : `${amount} ${unit ?? ''}`
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

  function show(item) {
    const row = make('li', item.isAvailable ? '' : 'out')
    const name = make('div', 'name')
    const facts = [item.brand, item.strain, weight(item), potency(item, 'thc'), potency(item, 'cbd')].filter(Boolean).join(' · ')
    name.append(make('strong', '', item.name))
    if (facts) name.append(make('span', 'facts', facts))
    name.append(make('span', 'age', ago(item.confirmedAt)))
    const cost = make('div', 'price', price(item))
    if (!item.isAvailable) cost.append(make('span', 'stock', 'Out of Stock'))
    else cost.append(make('span', 'tax', item.isTaxIncluded ? 'incl. tax' : '+ tax'))
    row.append(name, cost)
    groupOf(item.category).append(row)
  }

  async function load() {
    note.textContent = 'Loading the menu...'
    more.hidden = true
    try {
      const response = await fetch(`${address}?over=${age}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      const answer = await response.json()
      if (!response.ok) throw new Error(answer.message)
      for (const item of answer.items) show(item)
      cursor = answer.cursor ?? ''
      more.hidden = cursor === ''
      more.textContent = 'Show more'
      note.textContent = groups.size === 0 ? 'Nothing is on this menu yet.' : ''
    } catch (error) {
      const isNetwork = error instanceof TypeError || error instanceof SyntaxError
      note.textContent = isNetwork ? "The menu couldn't be loaded." : error.message
      more.textContent = 'Try again'
      more.hidden = !isNetwork
    }
  }

  // What was pressed goes away: reading goes on at what takes its place.
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
  if (remembered()) load()
  else gate.hidden = false
})()
