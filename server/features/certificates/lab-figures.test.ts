import fc from 'fast-check'
import { expect, it } from 'vitest'
import { percentOf } from '#agronomy/analytes.ts'
import { dateIn, readFigure, unitIn } from './lab-figures.ts'

it.each([
  ['24.127', { kind: 'number', value: 24.127 }],
  ['24.127%', { kind: 'number', value: 24.127 }],
  ['1.06 %', { kind: 'number', value: 1.06 }],
  ['241.27 mg/g', { kind: 'number', value: 241.27 }],
  ['1,234.5 mg/g', { kind: 'number', value: 1234.5 }],
  ['24,1', { kind: 'number', value: 24.1 }],
  ['0,125', { kind: 'number', value: 0.125 }],
  ['.05', { kind: 'number', value: 0.05 }],
  ['3.20E-5', { kind: 'number', value: 0.000032 }],
  ['24.1 ± 1.2', { kind: 'number', value: 24.1 }],
  ['24.1*', { kind: 'number', value: 24.1 }],
  ['<0.05', { kind: 'below', limit: 0.05, isDetection: false }],
  ['< 0.05%', { kind: 'below', limit: 0.05, isDetection: false }],
  ['<LOQ', { kind: 'below', limit: null, isDetection: false }],
  ['< LOQ (0.05)', { kind: 'below', limit: 0.05, isDetection: false }],
  ['<LOD', { kind: 'below', limit: null, isDetection: true }],
  ['BLQ', { kind: 'below', limit: null, isDetection: false }],
  ['ND', { kind: 'undetected' }],
  ['N.D.', { kind: 'undetected' }],
  ['Not Detected', { kind: 'undetected' }],
  ['None detected', { kind: 'undetected' }],
  ['', { kind: 'untested' }],
  ['-', { kind: 'untested' }],
  ['N/A', { kind: 'untested' }],
  ['NT', { kind: 'untested' }],
  ['PASS', { kind: 'unreadable' }],
  ['3-Carene', { kind: 'unreadable' }],
  ['8-THC', { kind: 'unreadable' }],
  ['1.2.3', { kind: 'unreadable' }],
  ['11/06/2026', { kind: 'unreadable' }],
  ['> 30', { kind: 'unreadable' }],
  ['<', { kind: 'unreadable' }],
])('reads %j', (text, figure) => {
  expect(readFigure(text)).toEqual(figure)
})

const amount = fc.double({ min: 0, max: 999_999, noNaN: true }).map((number) => Number(number.toFixed(4)))
const suffix = fc.constantFrom('', '%', ' %', ' mg/g', ' µg/g', ' ppm', '*')

it('reads the number formats that labs use', () => {
  const written = fc.constantFrom<((number: number) => string)[]>(
    (number) => String(number),
    (number) => number.toFixed(4),
    (number) => number.toLocaleString('en-US', { maximumFractionDigits: 4 }),
    (number) => number.toExponential(10).toUpperCase(),
  )
  fc.assert(
    fc.property(amount, written, suffix, (number, write, after) => {
      expect(readFigure(write(number) + after)).toEqual({ kind: 'number', value: number })
    }),
  )
})

it('reads limits in the forms that labs use', () => {
  fc.assert(
    fc.property(amount, fc.constantFrom('<', '< ', '<LOQ ', '< LOQ (', '≤'), suffix, (number, before, after) => {
      const close = before.endsWith('(') ? ')' : ''
      expect(readFigure(`${before}${number}${close}${close ? '' : after}`)).toEqual({ kind: 'below', limit: number, isDetection: false })
    }),
  )
})

it('never reads a number from text without digits', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !/\d/.test(text)),
      (text) => {
        expect(readFigure(text).kind).not.toBe('number')
      },
    ),
  )
})

it.each([
  ['Result (mg/g)', 'mg/g', 0.1],
  ['Conc. %', '%', 1],
  ['% w/w', '% w/w', 1],
  ['ug/g', 'ug/g', 1e-4],
  ['PPM', 'ppm', 1e-4],
  ['mg/serving', 'mg/serving', null],
  ['mg/mL', 'mg/ml', null],
])('finds the unit in %j', (text, unit, factor) => {
  expect(unitIn(text)).toBe(unit)
  expect(percentOf(unit)).toBe(factor)
})

it.each([
  ['Date Tested: 11/06/2026', '2026-11-06'],
  ['11/6/26', '2026-11-06'],
  ['13/11/2026', '2026-11-13'],
  ['2026-11-06T10:00:00', '2026-11-06'],
  ['Nov 6, 2026', '2026-11-06'],
  ['November 6th, 2026', '2026-11-06'],
  ['6 Nov 2026', '2026-11-06'],
  ['02/30/2026', null],
  ['Batch 12345', null],
])('reads the date in %j', (text, day) => {
  expect(dateIn(text)).toBe(day)
})
