import { createElement, type ReactNode, type SVGProps } from 'react'

type IconData = { size?: number; node: [tag: string, attributes: Record<string, string>][] }
type IconProps = SVGProps<SVGSVGElement> & { children?: ReactNode }

const says = (name: string) => name.startsWith('aria-') || name === 'role' || name === 'title'

/**
 * What lucide-react makes an icon with, for a build: see scripts/lean-icons-plugin.ts. Drawn like its own, without what nothing here uses:
 * contexts, strokes that keep their width, classes of other names.
 */
export default function createLucideIcon({ size = 24, node }: IconData) {
  return function Icon({ className, children, ...given }: IconProps) {
    return createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: `0 0 ${size} ${size}`,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        // Silent, unless it is given words.
        'aria-hidden': children || Object.keys(given).some(says) ? undefined : true,
        className: className ? `lucide ${className}` : 'lucide',
        ...given,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
      children,
    )
  }
}
