/**
 * Map renderers and canvases can't resolve custom properties and `light-dark()`, and map renderers can't parse `oklch()`. The browser
 * resolves each role on an element, and a canvas converts the result to RGB.
 */

export type Rgb = readonly [red: number, green: number, blue: number]

export type PaintedColors<Role extends string> = Readonly<Record<Role, Rgb>> & { readonly isDark: boolean }

/** In the element's theme, which may differ from the page's. */
export function readColors<Role extends string>(
  element: HTMLElement,
  roles: readonly (Role | 'ground' | 'ink')[],
): PaintedColors<Role | 'ground' | 'ink'> {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const read = (role: string): Rgb => {
    probe.style.color = `var(--${role})`
    if (!context) return [128, 128, 128]
    context.fillStyle = getComputedStyle(probe).color
    context.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    return [red, green, blue]
  }
  const colors = Object.fromEntries(roles.map((role) => [role, read(role)])) as Record<Role | 'ground' | 'ink', Rgb>
  probe.remove()
  return { ...colors, isDark: luma(colors.ground) < luma(colors.ink) }
}

/**
 * Runs when the root element's theme attributes, the system's color scheme or its contrast setting change. Returns a function that stops
 * watching.
 */
export function watchColors(onChange: () => void): () => void {
  const attributes = new MutationObserver(onChange)
  attributes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-lights', 'class', 'style'] })
  const queries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'].map((query) => window.matchMedia(query))
  for (const query of queries) query.addEventListener('change', onChange)
  return () => {
    attributes.disconnect()
    for (const query of queries) query.removeEventListener('change', onChange)
  }
}

/** A `share` of 0 is the first color, and 1 the second. */
export function mix(one: Rgb, other: Rgb, share: number): Rgb {
  const blend = (at: 0 | 1 | 2) => Math.round(one[at] + (other[at] - one[at]) * share)
  return [blend(0), blend(1), blend(2)]
}

export function css([red, green, blue]: Rgb, alpha = 1): string {
  return alpha === 1 ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${alpha})`
}

function luma([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
