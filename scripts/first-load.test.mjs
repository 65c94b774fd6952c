import { expect, test } from 'vitest'
import { filesByRoute, memberScripts } from './first-load.mjs'

const manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_base.js'], css: ['index.css'] },
  '_base.js': { file: 'base.js' },
  'routes/landing.tsx?tsr-split=component': { file: 'landing.js', imports: ['index.html', '_icons.js'], css: ['landing.css'] },
  'routes/business.$id.tsx?tsr-split=component': { file: 'business.js', imports: ['_icons.js', '_map.js'] },
  'routes/business.$id.tsx?tsr-split=loader': { file: 'business-loader.js', imports: ['_base.js'] },
  'screens/layout/account-panel.tsx': { file: 'menu.js', imports: ['_icons.js'] },
  '_icons.js': { file: 'icons.js', imports: ['_base.js'] },
  '_map.js': { file: 'map.js', imports: ['_icons.js'] },
}

test('loads the entry, the route’s own code, and their imports once each', () => {
  const routes = filesByRoute(manifest)
  expect([...routes.keys()]).toEqual(['landing', 'business.$id'])
  expect(routes.get('landing')).toEqual({
    scripts: ['index.js', 'base.js', 'landing.js', 'icons.js'],
    styles: ['index.css', 'landing.css'],
  })
  expect(routes.get('business.$id')?.scripts).toEqual(['index.js', 'base.js', 'business.js', 'icons.js', 'map.js', 'business-loader.js'])
})

test('rejects an incomplete manifest', () => {
  expect(() =>
    filesByRoute({ ...manifest, 'routes/landing.tsx?tsr-split=component': { file: 'landing.js', imports: ['_gone.js'] } }),
  ).toThrow('_gone.js')
})

test('adds the scripts of the frame to a member’s screen', () => {
  const scripts = memberScripts({
    ...manifest,
    'screens/layout/member-frame.tsx': { file: 'frame.js', imports: ['_icons.js', '_base.js'] },
  })
  expect([...scripts]).toEqual([
    ['business.$id', ['index.js', 'base.js', 'business.js', 'icons.js', 'map.js', 'business-loader.js', 'frame.js']],
  ])
})
