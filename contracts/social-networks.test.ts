import { describe, expect, it } from 'vitest'
import { socialUrl } from './social-networks.ts'

describe('socialUrl', () => {
  it.each([
    ['instagram', 'green.hills', 'https://www.instagram.com/green.hills'],
    ['instagram', '@green.hills', 'https://www.instagram.com/green.hills'],
    ['instagram', 'http://instagram.com/green.hills/?igsh=abc#top', 'https://www.instagram.com/green.hills'],
    ['facebook', 'm.facebook.com/GreenHills', 'https://www.facebook.com/GreenHills'],
    ['facebook', 'https://www.facebook.com/people/Green-Hills/100064', 'https://www.facebook.com/people/Green-Hills/100064'],
    ['x', 'https://twitter.com/greenhills', 'https://x.com/greenhills'],
    ['youtube', 'greenhills', 'https://www.youtube.com/@greenhills'],
    ['youtube', 'https://youtube.com/channel/UC1234_-x', 'https://www.youtube.com/channel/UC1234_-x'],
    ['tiktok', '@greenhills', 'https://www.tiktok.com/@greenhills'],
    ['linkedin', 'green-hills', 'https://www.linkedin.com/company/green-hills'],
    ['linkedin', 'https://de.linkedin.com/company/green-hills/about/..', 'https://www.linkedin.com/company/green-hills'],
  ] as const)('reads the %s page %j as %s', (network, text, url) => {
    expect(socialUrl(network, text)).toBe(url)
  })

  it.each([
    ['instagram', ''],
    ['instagram', 'https://www.instagram.com/'],
    ['instagram', 'https://www.instagram.com/p/C0ffee'],
    ['instagram', 'https://instagram.com.example.com/green'],
    ['instagram', 'https://example.com/instagram.com/green'],
    ['instagram', 'https://instagram.com@example.com/green'],
    ['instagram', 'javascript:alert(1)'],
    ['instagram', 'facebook.com/green'],
    ['instagram', 'greenhills.com'],
    ['instagram', 'green hills'],
    ['facebook', 'https://www.facebook.com/l.php?u=https://example.com'],
    ['x', 'greenhillsofdenver'],
    ['youtube', 'https://www.youtube.com/redirect?q=https://example.com'],
    ['youtube', 'https://www.youtube.com/watch?v=abc'],
    ['tiktok', 'https://www.tiktok.com/green'],
    ['linkedin', 'https://www.linkedin.com/redir/redirect?url=x'],
  ] as const)('refuses the %s page %j', (network, text) => {
    expect(socialUrl(network, text)).toBeNull()
  })
})
