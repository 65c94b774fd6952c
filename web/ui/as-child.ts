import { cloneElement, isValidElement, type ReactNode } from 'react'
import { cx } from './cx.ts'

type Properties = Record<string, unknown>

/**
 * Applies a component's look and behavior to its only child, as in `<Button asChild><Link …>`. Classes are combined, both handlers are
 * called (the child's first), and the child's other props take precedence.
 * @throws if the child isn't a single element
 */
export function AsChild({ children, ...lent }: Properties & { children?: ReactNode }): ReactNode {
  if (!isValidElement<Properties>(children)) throw new Error('asChild requires exactly one element.')
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
