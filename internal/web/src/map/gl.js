// The painter with WebGL 2: all boxes in one call, all lines in another.

const head = '#version 300 es\nprecision highp float;\n';
const where = 'uniform vec3 place; uniform vec2 size; uniform float ratio;\n' +
  'vec2 screen(vec2 p) { return p * place.x + place.yz; }\n' +
  'vec4 clip(vec2 p) { return vec4(p.x / size.x * 2. - 1., 1. - p.y / size.y * 2., 0, 1); }\n';

const lineVertex = head + where + `
layout(location=0) in vec4 ends; layout(location=1) in vec4 colour; layout(location=2) in vec2 look;
uniform float grow; uniform float fade;
out vec4 ink; out vec2 at; out vec2 form;
void main() {
  vec2 a = screen(ends.xy), b = screen(ends.zw), d = b - a;
  float l = length(d);
  d = l > 0. ? d / l : vec2(1, 0);
  float w = look.x * grow, half_ = max(w, 1. / ratio) / 2. + .8;
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  float side = corner.y * 2. - 1.;
  float run = corner.x * (l + .8) - .4;
  at = vec2(run, side * half_);
  form = vec2(max(w, 1. / ratio) / 2., look.y);
  float a_ = colour.a * fade * min(1., w * ratio);
  ink = vec4(colour.rgb * a_, a_);
  gl_Position = colour.a == 0. ? vec4(2, 2, 2, 1) : clip(a + d * run + vec2(-d.y, d.x) * at.y);
}`;
const lineFragment = head + `
uniform float ratio;
in vec4 ink; in vec2 at; in vec2 form; out vec4 colour;
void main() {
  float soft = .5 / ratio, a = 1. - smoothstep(form.x - soft, form.x + soft, abs(at.y));
  if (form.y > 0. && fract(at.x / form.y) > .58) discard;
  colour = ink * a;
}`;
const boxVertex = head + where + `
layout(location=0) in vec4 rect; layout(location=1) in vec4 inside; layout(location=2) in vec4 border; layout(location=3) in vec2 look;
out vec4 fill; out vec4 edge; out vec2 at; out vec4 form;
void main() {
  vec2 low = screen(rect.xy), extent = rect.zw * place.x, middle = low + extent / 2.;
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2. - 1.;
  vec2 half_ = max(extent / 2., vec2(.5));
  at = corner * (half_ + 1.);
  float small = min(extent.x, extent.y);
  form = vec4(half_, min(look.x * clamp(place.x, .5, 2.), small / 2.), small < 4. ? 0. : look.y * clamp(place.x, .7, 1.5));
  float a = small < 4. ? .55 : 0.; // too small for a border: between both colours
  vec4 f = mix(inside, border, a);
  fill = vec4(f.rgb * f.a, f.a);
  edge = vec4(border.rgb * border.a, border.a);
  gl_Position = clip(middle + at);
}`;
const boxFragment = head + `
uniform float ratio;
in vec4 fill; in vec4 edge; in vec2 at; in vec4 form; out vec4 colour;
void main() {
  vec2 q = abs(at) - form.xy + form.z;
  float d = length(max(q, 0.)) + min(max(q.x, q.y), 0.) - form.z, soft = .6 / ratio;
  float a = 1. - smoothstep(-soft, soft, d);
  float inner = 1. - smoothstep(-soft, soft, d + form.w);
  colour = mix(edge, fill, form.w > 0. ? inner : 1.) * a;
}`;

export class GLPainter {
  /** Throws where there is no WebGL 2. */
  constructor(canvas) {
    const gl = canvas.getContext('webgl2', {alpha: false, antialias: false, powerPreference: 'high-performance'});
    if (!gl) throw new Error('no WebGL 2');
    Object.assign(this, {gl, canvas});
    this.kind = 'webgl';
    this.line = program(gl, lineVertex, lineFragment);
    this.box = program(gl, boxVertex, boxFragment);
    this.sets = {};
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** Sets lines: four numbers each, their colours (RGBA), widths and dashes. */
  setLines(name, ends, colours, looks) {
    this.put(name, ends.length / 4, [[ends, 4, false], [colours, 4, true], [looks, 2, false]]);
  }

  setBoxes(name, rects, insides, borders, looks) {
    this.put(name, rects.length / 4, [[rects, 4, false], [insides, 4, true], [borders, 4, true], [looks, 2, false]]);
  }

  put(name, count, columns) {
    const gl = this.gl, set = this.sets[name] || (this.sets[name] = {array: gl.createVertexArray(), buffers: columns.map(() => gl.createBuffer()), held: []});
    set.count = count;
    gl.bindVertexArray(set.array);
    columns.forEach(([data, size, bytes], i) => {
      if (set.held[i] === data) return;
      set.held[i] = data;
      gl.bindBuffer(gl.ARRAY_BUFFER, set.buffers[i]);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
      gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(i, size, bytes ? gl.UNSIGNED_BYTE : gl.FLOAT, bytes, 0, 0);
      gl.vertexAttribDivisor(i, 1);
    });
    gl.bindVertexArray(null);
  }

  begin(camera, ratio, paper) {
    const gl = this.gl;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(paper[0] / 255, paper[1] / 255, paper[2] / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    for (const p of [this.line, this.box]) {
      gl.useProgram(p.program);
      gl.uniform3f(p.at('place'), camera.k, camera.x, camera.y);
      gl.uniform2f(p.at('size'), camera.width, camera.height);
      gl.uniform1f(p.at('ratio'), ratio);
    }
  }

  lines(name, grow, fade) {
    const gl = this.gl, set = this.sets[name];
    if (!set || !set.count) return;
    gl.useProgram(this.line.program);
    gl.uniform1f(this.line.at('grow'), grow);
    gl.uniform1f(this.line.at('fade'), fade);
    this.run(set);
  }

  boxes(name) {
    const set = this.sets[name];
    if (!set || !set.count) return;
    this.gl.useProgram(this.box.program);
    this.run(set);
  }

  run(set) {
    this.gl.bindVertexArray(set.array);
    this.gl.drawArraysInstanced(this.gl.TRIANGLE_STRIP, 0, 4, set.count);
    this.gl.bindVertexArray(null);
  }
}

function program(gl, vertex, fragment) {
  const p = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const s = gl.createShader(kind);
    gl.shaderSource(s, text);
    gl.compileShader(s);
    gl.attachShader(p, s);
  }
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error('shader: ' + gl.getProgramInfoLog(p));
  const known = {};
  return {program: p, at: name => known[name] || (known[name] = gl.getUniformLocation(p, name))};
}
