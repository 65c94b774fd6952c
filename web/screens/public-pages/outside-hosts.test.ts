import { expect, test } from 'vitest'
import { outsideHosts } from './outside-hosts.ts'

const own = 'https://sungrove.example'

test.each([
  [[null, null], []],
  [[null, '/map.pmtiles'], []],
  [['https://sungrove.example/tiles/{z}/{x}/{y}.pbf', null], []],
  [['https://tiles.example.net/{z}/{x}/{y}.png', null], ['tiles.example.net']],
  [['https://tiles.example.net/{z}/{x}/{y}.png', 'https://tiles.example.net/us.pmtiles'], ['tiles.example.net']],
])('finds the outside hosts in %o: %o', (urls, hosts) => {
  expect(outsideHosts(urls, own)).toEqual(hosts)
})
