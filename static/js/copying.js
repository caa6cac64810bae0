// Copies a picture. Clipboards take no SVG, so the browser draws the SVG into an image of pixels. The script is loaded when that happens for the
// first time.

// How many pixels of the image a pixel of the picture has, and how high or wide a browser's canvas can be.
const sharp = 2;
const largest = 16_000;

/** Puts a picture into the clipboard, or downloads it if the browser refuses. The result is "image", "file" or "broken". */
export async function picture(svg, file, download) {
  const drawn = draw(svg);
  try {
    // Browsers accept a promise here, so the reader’s click still counts when the picture is ready.
    await navigator.clipboard.write([new ClipboardItem({ "image/png": drawn })]);
    return "image";
  } catch (refused) {
    console.info(refused);
  }
  try {
    download(file, "image/png", await drawn);
    return "file";
  } catch (error) {
    console.error(error);
    return "broken";
  }
}

async function draw(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(sharp, largest / image.naturalWidth, largest / image.naturalHeight);
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(image.naturalWidth * scale);
  canvas.height = Math.ceil(image.naturalHeight * scale);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((png) => (png ? resolve(png) : reject(new Error("The canvas is empty"))), "image/png"));
}
