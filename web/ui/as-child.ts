import { cloneElement, isValidElement, type ReactNode } from 'react'
import { cx } from './cx.ts'

type Properties = Record<string, unknown>

/**
 * Lends the look and the behavior of a component to its only child, as `<Button asChild><Link …>` does: the classes of both, the handlers of
 * both (the child's first), and for all else what the child says itself.
 * @throws when the child is not one element
 */
export function AsChild({ children, ...lent }: Properties & { children?: ReactNode }): ReactNode {
  if (!isValidElement<Properties>(children)) throw new Error('asChild takes one element.')
  const className = cx(lent.className as string, children.props.className as string) || undefined
  const merged: Properties = { ...lent, ...children.props, className }
  for (const [name, own] of Object.entries(children.props)) {
    const other = lent[name]
    if (!/^on[A-Z]/.test(name) || typeof own !== 'function' || typeof other !== 'function') continue
    merged[name] = (...event: unknown[]) => {
      own(...event)
      other(...event)
    }
  }
  return cloneElement(children, merged)
}
