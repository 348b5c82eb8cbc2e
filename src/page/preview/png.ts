import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import type { Figure } from './figures.ts'

/** Red, green and blue. */
type Color = readonly [number, number, number]

export interface Layer {
  figure: Figure
  /** As in `#2f9e44` or `#fff`. */
  color: string
}

export interface Picture {
  width: number
  height: number
  background: string
  /** The later layers cover the earlier layers. */
  layers: Layer[]
}

/** A picture of flat figures with smooth edges as a PNG file. */
export async function pngOf({ width, height, background, layers }: Picture): Promise<Buffer> {
  const rows = blankRows(width, height, colorOf(background))
  for (const layer of layers) paint(rows, { width, height }, layer)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([BITS, RGB], 8)
  const data = await compress(rows)
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

const compress = promisify(deflate)
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const BITS = 8
const RGB = 2

/** Each row begins with a zero, which means that its bytes are not filtered. */
function blankRows(width: number, height: number, color: Color): Buffer {
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x += 1) row.set(color, 1 + x * 3)
  return Buffer.concat(Array.from({ length: height }, () => row))
}

function paint(rows: Buffer, { width, height }: { width: number; height: number }, { figure, color }: Layer): void {
  const parts = colorOf(color)
  const [left, top] = figure.from.map((one) => Math.max(0, Math.floor(one) - 1)) as [number, number]
  const right = Math.min(width, Math.ceil(figure.to[0]) + 1)
  const bottom = Math.min(height, Math.ceil(figure.to[1]) + 1)
  for (let y = top; y < bottom; y += 1) {
    for (let x = left, next = left; x < right; x = next) {
      const distance = figure.distance(x + 0.5, y + 0.5)
      // As far as the edge is away, all pixels are covered, or none.
      next = Math.min(right, x + Math.max(1, Math.floor(Math.abs(distance) - 0.5)))
      const covered = Math.max(0, Math.min(1, 0.5 - distance))
      if (covered === 0) continue
      for (let one = x; one < next; one += 1) blend(rows, y * (1 + width * 3) + 1 + one * 3, parts, covered)
    }
  }
}

function blend(rows: Buffer, at: number, parts: Color, covered: number): void {
  for (let part = 0; part < 3; part += 1) {
    const below = rows[at + part]!
    rows[at + part] = Math.round(below + (parts[part]! - below) * covered)
  }
}

const colorOf = (color: string): Color => {
  const digits = color.length === 4 ? color.replace(/\w/g, '$&$&') : color
  const number = Number.parseInt(digits.slice(1), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
