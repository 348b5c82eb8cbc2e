import type { Shape } from '../../domain/vocabulary/rules.ts'

/** Figures by their signed distance: negative inside, in pixels. */

type Point = readonly [number, number]

export interface Figure {
  /** The corners of a box around the figure. */
  from: Point
  to: Point
  distance(x: number, y: number): number
}

export function roundedBox([x1, y1]: Point, [x2, y2]: Point, radius: number): Figure {
  const [middleX, middleY] = [(x1 + x2) / 2, (y1 + y2) / 2]
  const [halfX, halfY] = [(x2 - x1) / 2 - radius, (y2 - y1) / 2 - radius]
  return {
    from: [x1, y1],
    to: [x2, y2],
    distance(x, y) {
      const [outX, outY] = [Math.abs(x - middleX) - halfX, Math.abs(y - middleY) - halfY]
      return Math.hypot(Math.max(outX, 0), Math.max(outY, 0)) + Math.min(Math.max(outX, outY), 0) - radius
    },
  }
}

/** A line with round ends through the points. */
function line(points: Point[], width: number): Figure {
  return {
    ...boxAround(points, width / 2),
    distance: (x, y) => distanceToLine(points, x, y) - width / 2,
  }
}

function polygon(points: Point[]): Figure {
  const closed = [...points, points[0]!]
  return {
    ...boxAround(points, 0),
    distance: (x, y) => distanceToLine(closed, x, y) * (isInside(points, x, y) ? -1 : 1),
  }
}

function boxAround(points: Point[], margin: number): Pick<Figure, 'from' | 'to'> {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return {
    from: [Math.min(...xs) - margin, Math.min(...ys) - margin],
    to: [Math.max(...xs) + margin, Math.max(...ys) + margin],
  }
}

function distanceToLine(points: Point[], x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY
  for (let index = 1; index < points.length; index += 1) {
    const [x1, y1] = points[index - 1]!
    const [x2, y2] = points[index]!
    const [dx, dy] = [x2 - x1, y2 - y1]
    const length = dx * dx + dy * dy
    const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length))
    nearest = Math.min(nearest, Math.hypot(x - x1 - part * dx, y - y1 - part * dy))
  }
  return nearest
}

/** Whether a ray to the right leaves the polygon an odd number of times. */
function isInside(points: Point[], x: number, y: number): boolean {
  let inside = false
  for (let index = 0; index < points.length; index += 1) {
    const [x1, y1] = points[index]!
    const [x2, y2] = points[(index + 1) % points.length]!
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}

interface Drawing {
  body: Figure
  sign: Figure[]
}

/** The icons of the page, in a square of the given size at a point. */
export function iconFigures(shape: Shape, [left, top]: Point, size: number): Drawing {
  const scale = size / 16
  const at = ([x, y]: Point): Point => [left + x * scale, top + y * scale]
  const box = (from: Point, to: Point, radius: number) => roundedBox(at(from), at(to), radius * scale)
  const stroke = (...points: Point[]) => line(points.map(at), 1.7 * scale)
  const corners = (...points: Point[]) => polygon(points.map(at))
  const drawings: Record<Shape, () => Drawing> = {
    check: () => ({ body: box([1, 1], [15, 15], 7), sign: [stroke([4.9, 8.3], [7.1, 10.5], [11.1, 5.9])] }),
    wrench: () => ({ body: box([1, 1], [15, 15], 4), sign: [stroke([5, 11], [8.4, 7.6]), line(jaw.map(at), scale)] }),
    minus: () => ({ body: corners([8, 0.8], [15.2, 8], [8, 15.2], [0.8, 8]), sign: [stroke([5.2, 8], [10.8, 8])] }),
    alert: () => ({
      body: corners([8, 1.2], [15.3, 14.4], [0.7, 14.4]),
      sign: [stroke([8, 6], [8, 9.6]), stroke([8, 11.9], [8, 12])],
    }),
    cross: () => ({
      body: corners([5.1, 1], [10.9, 1], [15, 5.1], [15, 10.9], [10.9, 15], [5.1, 15], [1, 10.9], [1, 5.1]),
      sign: [stroke([5.6, 5.6], [10.4, 10.4]), stroke([10.4, 5.6], [5.6, 10.4])],
    }),
    dot: () => ({ body: box([3, 3], [13, 13], 5), sign: [] }),
  }
  return drawings[shape]()
}

/** The open end of the wrench: most of a circle, closed by an angle. */
const jaw: Point[] = [
  ...Array.from({ length: 25 }, (_, index): Point => {
    const angle = ((-48.5 - (index / 24) * 289) * Math.PI) / 180
    return [9.475 + 2.3 * Math.cos(angle), 6.321 + 2.3 * Math.sin(angle)]
  }),
  ...([
    [9.9, 7.3],
    [9.1, 5.8],
    [11, 4.6],
  ] as const),
]
